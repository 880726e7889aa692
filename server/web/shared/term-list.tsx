/** Terms, each with its text. A term whose text is null is omitted. */
import { GivenText } from './text/given-text.tsx'

interface TermListProps {
  rows: readonly (readonly [term: string, text: string | number | null])[]
}

export const TermList = ({ rows }: TermListProps) => (
  <dl>
    {rows.map(
      ([term, text]) =>
        text !== null && (
          <div key={term}>
            <dt>{term}</dt>
            <dd>
              <GivenText>{String(text)}</GivenText>
            </dd>
          </div>
        ),
    )}
  </dl>
)
