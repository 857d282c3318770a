import { spawn } from "node:child_process";
import { chromium } from "@playwright/test";
const server = spawn("dist/bin/serve", ["-addr", `127.0.0.1:9555`, "-dir", "dist/site"], { stdio: "ignore" });
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox","--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await new Promise(r=>setTimeout(r,300));
  await page.goto("http://127.0.0.1:9555/"); await page.waitForSelector("binlog-view[data-state=empty]");
  const worker = page.workers()[0];
  await worker.evaluate(() => { const R=FileReaderSync.prototype, o=R.readAsArrayBuffer; globalThis.rd=[0,0,0]; R.readAsArrayBuffer=function(b){const t=performance.now(); const r=o.call(this,b); rd[0]++; rd[1]+=performance.now()-t; rd[2]+=b.size; return r;}; const {binlens}=globalThis; globalThis.st={}; for (const name of Object.keys(binlens)) { const call=binlens[name]; if(typeof call!=="function") continue; binlens[name]=(...a)=>{const t=performance.now(); const r=call(...a); const d=performance.now()-t; const s=(globalThis.st[name]??=[0,0,0]); s[0]++; s[1]+=d; s[2]=Math.max(s[2],d); return r;}; } });
  const asking = page.evaluate(async () => {
    const { store } = document.querySelector("binlog-view"); const P=[],D=[];
    for (;;) { const { phase, progress } = store.state; if (phase==="done") return [P,D]; const ev=progress?.events??0;
      if (phase==="indexing"&&ev>1000) { for (const [l,f] of [[P,()=>store.client.page(Math.floor(Math.random()*(ev-100)),100)],[D,()=>store.client.tree(Math.floor(Math.random()*ev),false)]]) { const t=performance.now(); await f().then(()=>l.push(performance.now()-t),()=>0); } }
      await new Promise(r=>setTimeout(r,5)); } });
  await page.locator("input[type=file]").setInputFiles("dist/bench/big.binlog");
  const [P,D]=await asking; const q=(l,p)=>[...l].sort((a,b)=>a-b)[Math.floor(p*l.length)]?.toFixed(1);
  console.log("indexing page", P.length, q(P,.5),q(P,.95),"tree",q(D,.5),q(D,.95));
  console.log(JSON.stringify(await worker.evaluate(()=>{const s=globalThis.st; globalThis.st={}; return Object.fromEntries(Object.entries(s).map(([k,[n,t,m]])=>[k,[n,Math.round(t),+m.toFixed(1),+(t/n).toFixed(2)]]))})));
  await page.waitForFunction(() => document.querySelector("binlog-view").store.state.survey?.done, undefined, {timeout:180000});
  console.log("reads so far", await worker.evaluate(()=>{const r=globalThis.rd; globalThis.rd=[0,0,0]; globalThis.st={}; return r}));
  const idle = await page.evaluate(async()=>{ const { store } = document.querySelector("binlog-view"); const P=[],D=[]; const ev=store.state.progress.events; for(let i=0;i<100;i++){ for (const [l,f] of [[P,()=>store.client.page(Math.floor(Math.random()*(ev-100)),100)],[D,()=>store.client.tree(Math.floor(Math.random()*ev),false)]]) { const t=performance.now(); await f(); l.push(performance.now()-t); await new Promise(r=>setTimeout(r,5)); } } return [P,D]; });
  console.log("idle page", q(idle[0],.5),q(idle[0],.95),"tree",q(idle[1],.5),q(idle[1],.95));
  console.log(JSON.stringify(await worker.evaluate(()=>{const s=globalThis.st; return Object.fromEntries(Object.entries(s).map(([k,[n,t,m]])=>[k,[n,Math.round(t),+m.toFixed(1),+(t/n).toFixed(2)]]))})));
  console.log("reads idle", await worker.evaluate(()=>globalThis.rd)); } finally { await browser.close(); server.kill(); }
