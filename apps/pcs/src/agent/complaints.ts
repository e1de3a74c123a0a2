/** Says faults: each at once, and again while it lasts, without filling the log. */

/** How often the same is said again. */
const AGAIN_MS = 600_000;

export interface Complaints {
  say(text: string): void;
  /** The next fault is said at once. */
  settle(): void;
}

export function createComplaints(note: (text: string) => void, now: () => number): Complaints {
  let last: { text: string; at: number } | null = null;
  return {
    say(text) {
      if (last?.text === text && now() - last.at < AGAIN_MS) return;
      last = { text, at: now() };
      note(text);
    },
    settle() {
      last = null;
    },
  };
}
