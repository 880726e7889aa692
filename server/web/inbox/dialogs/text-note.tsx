/** Tells the signer, while a text is typed, which of its characters cannot be stamped, or that it is too long for its box. */
import { useEffect, useState } from 'preact/hooks'
import { type CoveredCharacters, unstampableList } from '../../../../lib/pdf/text/ink-text.ts'
import { language, t } from '../../words/words.ts'
import { coveredCharacters } from './stampable.ts'

/** Returns what the signer should write instead, or null. */
function useUnstampable(text: string): string | null {
  const [characters, setCharacters] = useState<CoveredCharacters | null>(null)
  useEffect(() => void coveredCharacters().then(setCharacters), [])
  const missing = characters && unstampableList(text, characters, language)
  return missing && t('ink.unstampable', { characters: missing })
}

interface TextNoteProps {
  /** The id of the control that it is about. */
  id?: string
  text: string
  /** Whether the text is too long to be read in its box; omitted where that is not known. */
  isCrowded?: boolean
}

export function TextNote({ id, text, isCrowded = false }: TextNoteProps) {
  const problem = useUnstampable(text) ?? (isCrowded ? t('ink.crowded') : null)
  return (
    <p id={id} class="problem" role="alert" hidden={!problem}>
      {problem}
    </p>
  )
}
