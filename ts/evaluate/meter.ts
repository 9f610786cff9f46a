import { aborted } from "../engine/failure.js";
import type { CallSettings, Progress } from "../tables/read.js";

/** How far an evaluation has come: in marginals counted, of all that it will count, and what it is at. */
export interface EvaluationProgress extends Progress {
  phase: string;
}

/** What every long evaluation can be given. */
export interface EvaluationSettings {
  /** Told some ten times a second. */
  onProgress?: (progress: EvaluationProgress) => void;
  /** Ends the call within a tenth of a second. */
  signal?: AbortSignal;
}

/** For how long this thread is kept busy before others get their turn. */
const BUSY_MS = 20;

/** Adds up the progress of parts whose work is known beforehand. */
export class Meter {
  readonly #tell: ((progress: EvaluationProgress) => void) | undefined;
  readonly #signal: AbortSignal | undefined;
  #total = 0;
  #done = 0;
  #phase = "";
  #turned = performance.now();

  constructor({ onProgress, signal }: EvaluationSettings) {
    this.#tell = onProgress;
    this.#signal = signal;
  }

  /** What calls that report nothing themselves are given. */
  get settings(): { signal?: AbortSignal } {
    return this.#signal ? { signal: this.#signal } : {};
  }

  /** Lets aborts and whatever else the thread has to do through, from time to time. */
  async breathe(): Promise<void> {
    if (performance.now() - this.#turned < BUSY_MS) return;
    await new Promise<void>((done) => setTimeout(done));
    this.#turned = performance.now();
    if (this.#signal?.aborted) throw aborted(this.#signal);
  }

  /** Announces work. */
  expect(work: number): void {
    this.#total += work;
  }

  /** From here on, progress is told under this name. */
  begin(phase: string): void {
    this.#phase = phase;
  }

  /** Settings of a call that is to do some of the work. */
  part(work: number): CallSettings {
    if (!this.#tell) return this.settings;
    const onProgress = ({ done, total }: Progress) => {
      const share = total ? done / total : 0;
      this.#say(this.#done + work * share);
    };
    return { ...this.settings, onProgress };
  }

  /** Some of the work is done. */
  add(work: number): void {
    this.#done += work;
    this.#say(this.#done);
  }

  /** How far the reading of a source is, in bytes or rows; it is no part of the work. */
  reading(done: number, total?: number): void {
    this.#tell?.({ phase: this.#phase, done, ...(total === undefined ? {} : { total }) });
  }

  #say(done: number): void {
    this.#tell?.({ phase: this.#phase, done: Math.floor(done), total: this.#total });
  }
}
