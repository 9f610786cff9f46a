import type { Progress } from "../tables/read.js";

/** What a bar is drawn on: standard error, where it is a terminal. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const WIDTH = 24;
const INTERVAL_MS = 100;

/** A bar that is drawn over itself. On anything but a terminal it draws nothing. */
export class Bar {
  readonly #screen: Screen;
  readonly #label: string;
  readonly #now: () => number;
  #drawn = Number.NEGATIVE_INFINITY;
  #shown = false;

  constructor(screen: Screen, label: string, now: () => number = () => performance.now()) {
    this.#screen = screen;
    this.#label = label;
    this.#now = now;
  }

  /** Draws, ten times a second at most. */
  readonly tell = ({ done, total }: Progress): void => {
    const now = this.#now();
    if (!this.#screen.isTTY || now - this.#drawn < INTERVAL_MS) return;
    this.#drawn = now;
    this.#shown = true;
    this.#screen.write(
      `\r\x1b[K${line(this.#label, done, total).slice(0, (this.#screen.columns ?? 80) - 1)}`,
    );
  };

  /** Takes the bar away, so that what is said next has the line to itself. */
  clear(): void {
    if (this.#shown) this.#screen.write("\r\x1b[K");
    this.#shown = false;
  }
}

function line(label: string, done: number, total: number | undefined): string {
  if (!total) return done === 0 ? `${label} …` : `${label} ${done}`;
  const share = Math.min(1, done / total);
  const full = Math.round(share * WIDTH);
  return `${label} ${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${Math.floor(100 * share)} %`;
}
