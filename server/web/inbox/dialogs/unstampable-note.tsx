/** Tells the signer, while a text is typed, which of its characters cannot be stamped. */
import { useEffect, useState } from 'preact/hooks'
import { type CoveredCharacters, unstampableProblem } from '../../../../lib/pdf/text/ink-text.ts'
import { call } from '../../shared/api.ts'

/** Asked for once for each visit; the service refuses such a text in any case, so it may stay unknown. */
let covered: Promise<CoveredCharacters | null> | undefined

function coveredCharacters(): Promise<CoveredCharacters | null> {
  covered ??= call<{ ranges: number[] }>('GET', '/inbox/api/stampable').then(
    ({ ranges }) => ranges,
    () => {
      covered = undefined
      return null
    },
  )
  return covered
}

/** Returns what is wrong with the text, or null. */
function useUnstampable(text: string): string | null {
  const [characters, setCharacters] = useState<CoveredCharacters | null>(null)
  useEffect(() => void coveredCharacters().then(setCharacters), [])
  return characters && unstampableProblem(text, characters)
}

export function UnstampableNote({ text }: { text: string }) {
  const problem = useUnstampable(text)
  return (
    <p class="problem" role="alert" hidden={!problem}>
      {problem && `Please write ${problem}.`}
    </p>
  )
}
