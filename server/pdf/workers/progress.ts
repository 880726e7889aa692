/** A worker's progress on its job, in memory that both threads share. */

export type Progress = Int32Array

/**
 * Whether the job itself has begun, after the libraries were loaded; how many pages have to be read; which thread does it; and
 * whether it is done.
 */
const BEGUN = 0
const PAGES = 1
const THREAD = 2
const DONE = 3
const COUNT = 4

export const createProgress = (): Progress =>
  new Int32Array(new SharedArrayBuffer(COUNT * Int32Array.BYTES_PER_ELEMENT))

/** @param thread as the system knows it; 0 where it does not tell */
export function begin(progress: Progress, thread: number): void {
  Atomics.store(progress, THREAD, thread)
  Atomics.store(progress, BEGUN, 1)
}

export const tellPages = (progress: Progress, count: number): void => void Atomics.store(progress, PAGES, count)

/** The answer is on its way, and may have to wait for the thread that is to receive it. */
export const finish = (progress: Progress): void => void Atomics.store(progress, DONE, 1)

export const wasBegun = (progress: Progress): boolean => Atomics.load(progress, BEGUN) === 1

/** 0 until it is known. */
export const pagesToRead = (progress: Progress): number => Atomics.load(progress, PAGES)

export const threadOf = (progress: Progress): number => Atomics.load(progress, THREAD)

export const isDone = (progress: Progress): boolean => Atomics.load(progress, DONE) === 1
