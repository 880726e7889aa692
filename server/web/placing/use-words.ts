/** Hands the words for the placing of fields down to the parts of a page. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Words } from './words.ts'

const InUse = createContext<Words | null>(null)

/** Has everything in it use the words of its `value`. */
export const WithWords = InUse.Provider

/** Throws outside of `WithWords`. */
export function useWords(): Words {
  const words = useContext(InUse)
  if (!words) throw new Error('There are no words around this part of the page.')
  return words
}
