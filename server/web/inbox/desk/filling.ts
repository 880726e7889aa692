/** What the signer fills in: the draft, and the adopted signature in it. */
import type { Opened } from '../../../operations/signer/messages.ts'
import type { Adoption } from '../dialogs/adopted-signature.ts'
import { type FieldValue, type Signature, useDraft } from './draft.ts'

/** @param onChange called before each change: what was reviewed is then no longer what would be signed */
export function useFilling(opened: Opened, { adopted, adopt: goOnUsing }: Adoption, onChange: () => void) {
  const { draft, fill, adopt } = useDraft(opened)
  return {
    draft,
    write(index: number, value: FieldValue) {
      onChange()
      fill(index, value)
    },
    /** Places the signature that is at hand; null when there is none. */
    place:
      adopted &&
      (() => {
        onChange()
        adopt(adopted)
      }),
    /** Places another signature, and goes on using it. */
    give(signature: Signature) {
      onChange()
      goOnUsing(signature)
      adopt(signature)
    },
  }
}
