/** Hands the words for the placing of fields down to the parts of a page: English ones, unless others stand around. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { english, type Words } from './words.ts'

const InUse = createContext<Words>(english)

/** Has everything in it use the words of its `value`. */
export const WithWords = InUse.Provider
export const useWords = (): Words => useContext(InUse)
