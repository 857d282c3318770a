// Reads the output of `go test -json` on standard input, prints a line a package and the whole output of what failed, and
// writes "passed failed skipped" to the file named by its argument. Every test and subtest counts as one; a package that
// fails without a failed test (it does not build, it panics, it exits) counts as one failure.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const target = process.argv[2];
const total = { pass: 0, fail: 0, skip: 0 };
const packages = new Map(); // name -> { pass, fail, skip, running, log, output of each test }

function entry(name) {
  let found = packages.get(name);
  if (!found) packages.set(name, (found = { pass: 0, fail: 0, skip: 0, running: new Set(), log: [], output: new Map() }));
  return found;
}

function onTest(pack, event) {
  const log = pack.output.get(event.Test) ?? [];
  pack.output.set(event.Test, log);
  switch (event.Action) {
    case "run":
      pack.running.add(event.Test);
      break;
    case "output":
      log.push(event.Output);
      break;
    case "pass":
    case "fail":
    case "skip":
      pack.running.delete(event.Test);
      pack[event.Action]++;
      if (event.Action !== "pass") process.stdout.write(log.join(""));
      pack.output.delete(event.Test);
  }
}

function onPackage(pack, event) {
  if (event.Action === "output" || event.Action === "build-output") {
    pack.log.push(event.Output);
  } else if (event.Action === "pass" || event.Action === "skip" || event.Action === "fail") {
    if (event.Action === "fail" && pack.fail === 0) {
      pack.fail = 1;
      for (const test of pack.running) process.stdout.write((pack.output.get(test) ?? []).join(""));
      process.stdout.write(pack.log.join(""));
    }
    for (const kind of Object.keys(total)) total[kind] += pack[kind];
    const ran = pack.pass + pack.fail + pack.skip;
    if (ran === 0) return;
    const skipped = pack.skip ? `, ${pack.skip} skipped` : "";
    console.log(`${pack.fail ? "FAIL" : "ok  "} ${event.Package}: ${pack.pass} passed, ${pack.fail} failed${skipped} (${(event.Elapsed ?? 0).toFixed(1)} s)`);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  let event;
  try {
    event = JSON.parse(line);
  } catch {
    console.log(line); // the go command's own words
    continue;
  }
  if (event.ImportPath && !event.Package) process.stdout.write(event.Output ?? ""); // what the compiler says
  else if (event.Package && event.Test) onTest(entry(event.Package), event);
  else if (event.Package) onPackage(entry(event.Package), event);
}
writeFileSync(target, `${total.pass} ${total.fail} ${total.skip}\n`);
