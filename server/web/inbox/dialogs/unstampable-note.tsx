/** Tells the signer, while a text is typed, which of its characters cannot be stamped. */
import { useEffect, useState } from 'preact/hooks'
import { type CoveredCharacters, unstampableProblem } from '../../../../lib/pdf/text/ink-text.ts'
import { coveredCharacters } from './stampable.ts'

/** Returns what is wrong with the text, or null. */
function useUnstampable(text: string): string | null {
  const [characters, setCharacters] = useState<CoveredCharacters | null>(null)
  useEffect(() => void coveredCharacters().then(setCharacters), [])
  return characters && unstampableProblem(text, characters)
}

interface UnstampableNoteProps {
  /** For the control that it is about. */
  id?: string
  text: string
}

export function UnstampableNote({ id, text }: UnstampableNoteProps) {
  const problem = useUnstampable(text)
  return (
    <p id={id} class="problem" role="alert" hidden={!problem}>
      {problem && `Please write ${problem}.`}
    </p>
  )
}
