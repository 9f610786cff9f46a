import type { Job } from "./host.js";

/** How long a step should take: long enough to waste nothing on yielding, short enough that an abort is felt. */
const TARGET_MS = 12;
/** Some 1 to 10 ms, see `Job.step`; much less would be over before a second thread is awake. */
const FIRST_WORK = 1 << 20;
const LEAST_WORK = 1 << 8;
const MOST_WORK = 2 ** 31;
/**
 * The most work of a step whose time cannot be told, because the clock stands still while code runs (workerd):
 * at the 1 to 10 ns that a unit of work takes, 2 to 20 ms.
 */
const BLIND_WORK = 1 << 21;
const PROGRESS_MS = 100;

export interface Stepper {
  /** Throws when the call was aborted. */
  check(): void;
  progress(done: number, total: number): void;
  pause: Pause;
  now(): number;
}

/** The work of the next step, from that of the last one and the time it took. */
export function nextWork(work: number, elapsed: number): number {
  const wanted = elapsed > 0 ? work * Math.min(4, Math.max(0.25, TARGET_MS / elapsed)) : work * 2;
  const most = elapsed > 0 ? MOST_WORK : Math.max(work, BLIND_WORK);
  return Math.round(Math.min(most, Math.max(LEAST_WORK, wanted)));
}

/** Runs a job to its end in steps of about 12 ms, with a turn of the event loop after each. */
export async function runJob(job: Job, stepper: Stepper): Promise<void> {
  let work = FIRST_WORK;
  let reported = Number.NEGATIVE_INFINITY;
  for (;;) {
    stepper.check();
    const start = stepper.now();
    const finished = job.step(work);
    const end = stepper.now();
    work = nextWork(work, end - start);
    if (finished || end - reported >= PROGRESS_MS) {
      stepper.progress(job.done(), job.total());
      reported = end;
    }
    if (finished) return;
    await stepper.pause();
  }
}

/** A turn of the event loop in which messages and timers get through; which call gives one depends on the runtime. */
export type Pause = () => Promise<void>;

/** Node and Bun. */
export const immediate: Pause = () => new Promise((done) => setImmediate(done));

/** Browsers, which hold timers back 4 ms. */
export const channel: Pause = () =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });

/** Deno and workerd, where the other two let nothing else through. */
export const timer: Pause = () => new Promise((done) => setTimeout(done, 0));
