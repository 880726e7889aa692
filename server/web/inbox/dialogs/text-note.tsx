/** Tells the signer, while a text is typed, which of its characters cannot be stamped, or that it is too long for its box. */
import { useEffect, useState } from 'preact/hooks'
import { type CoveredCharacters, CROWDED_PROBLEM, unstampableProblem } from '../../../../lib/pdf/text/ink-text.ts'
import { coveredCharacters } from './stampable.ts'

/** Returns what is wrong with the text, or null. */
function useUnstampable(text: string): string | null {
  const [characters, setCharacters] = useState<CoveredCharacters | null>(null)
  useEffect(() => void coveredCharacters().then(setCharacters), [])
  return characters && unstampableProblem(text, characters)
}

interface TextNoteProps {
  /** The id of the control that it is about. */
  id?: string
  text: string
  /** Whether the text is too long to be read in its box; omitted where that is not known. */
  isCrowded?: boolean
}

export function TextNote({ id, text, isCrowded = false }: TextNoteProps) {
  const problem = useUnstampable(text) ?? (isCrowded ? CROWDED_PROBLEM : null)
  return (
    <p id={id} class="problem" role="alert" hidden={!problem}>
      {problem && `Please write ${problem}.`}
    </p>
  )
}
