// What the reader chose about the page itself, kept from visit to visit. Where there is no storage (a page opened from a
// folder in some browsers, private windows), a choice holds until the page is left.

const PREFIX = "binlens.";

/** The value kept under a name; "" when there is none. */
export function recall(name: string): string {
  try {
    return localStorage.getItem(PREFIX + name) ?? "";
  } catch {
    return "";
  }
}

/** Keeps a value; "" forgets it. */
export function remember(name: string, value: string): void {
  try {
    if (value === "") localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // no storage
  }
}
