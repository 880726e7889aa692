/** What a part of the console shows, asked for again whenever the service says that something changed. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { announce } from '../shared/announce.tsx'
import { ApiError, call, sentenceOf } from '../shared/api.ts'
import { follow } from './changes.ts'

/** What a change sets off, such as a delivery, has mostly ended by then. */
const AFTERMATH_MS = 1_500

/**
 * The answer of the path, null until the first is there; a function that asks again at once; and why there is nothing to show,
 * for a part that has nothing else to say.
 */
export function useLive<T>(path: string): [T | null, () => Promise<void>, string] {
  const [answer, setAnswer] = useState<T | null>(null)
  const [missing, setMissing] = useState('')
  const wanted = useRef(path)
  const load = useCallback(async () => {
    try {
      const next = await call<T>('GET', path)
      // An answer that was overtaken by another question is not shown.
      if (wanted.current !== path) return
      setAnswer(next)
      setMissing('')
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 404) setMissing(sentenceOf(failure))
      else announce(sentenceOf(failure), 'wrong')
    }
  }, [path])
  useEffect(() => {
    wanted.current = path
    void load()
    let later: ReturnType<typeof setTimeout> | undefined
    const unfollow = follow(() => {
      void load()
      clearTimeout(later)
      later = setTimeout(() => void load(), AFTERMATH_MS)
    })
    return () => {
      clearTimeout(later)
      unfollow()
    }
  }, [load, path])
  return [answer, load, missing]
}
