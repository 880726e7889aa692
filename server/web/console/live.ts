/** Loads the data of a part of the console, again whenever the service reports a change. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, sentenceOf } from '../shared/api.ts'
import { announceFailure, useConnectionRound } from '../shared/connection.tsx'
import { callAdmin } from './admin-api.ts'
import { follow } from './changes.ts'

/** By this time most effects of a change, such as a delivery, have ended. */
const SETTLED_MS = 1_500

/**
 * Returns the answer to a GET of the path below `/admin/v1`, null until the first is there; a function that asks again at once;
 * and, when there is no such thing, the sentence that says so, else an empty text.
 */
export function useLive<T>(path: string): [answer: T | null, reload: () => Promise<void>, missing: string] {
  const [answer, setAnswer] = useState<T | null>(null)
  const [missing, setMissing] = useState('')
  const wanted = useRef(path)
  const load = useCallback(async () => {
    try {
      const next = await callAdmin<T>('GET', path)
      // Another path has been asked for since: this answer comes too late to be shown.
      if (wanted.current !== path) return
      setAnswer(next)
      setMissing('')
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 404) setMissing(sentenceOf(failure))
      else announceFailure(failure)
    }
  }, [path])
  const round = useConnectionRound()
  useEffect(() => {
    wanted.current = path
    void load()
    let settled: ReturnType<typeof setTimeout> | undefined
    const unfollow = follow(() => {
      void load()
      clearTimeout(settled)
      settled = setTimeout(() => void load(), SETTLED_MS)
    })
    return () => {
      clearTimeout(settled)
      unfollow()
    }
  }, [load, path, round])
  return [answer, load, missing]
}
