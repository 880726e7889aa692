/** Edits the treatment of documents that an organization sends without a signature field. */
import type { SignatureRule } from '../../../domain/task/signature-place.ts'
import type { ChangeBody, OrganizationFile } from '../../../operations/operator/messages/organizations.ts'
import { announce } from '../../shared/announce.tsx'
import { textsOf } from '../entry-form.tsx'

interface SignatureRuleProps {
  file: OrganizationFile
  onChange(body: ChangeBody, done: string): Promise<unknown>
}

export function SignatureRuleForm({ file: { organization, mayChange }, onChange }: SignatureRuleProps) {
  const { signatureRule } = organization
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    const chosen = textsOf(new FormData(event.currentTarget as HTMLFormElement)).signatureRule as SignatureRule
    if (chosen === signatureRule) return announce('Nothing was changed.')
    void onChange({ signatureRule: chosen }, 'Saved for documents that arrive from now on.')
  }
  return (
    <section class="panel" aria-labelledby="signature-rule">
      <h2 id="signature-rule">Documents without a signature field</h2>
      <p>A sender can ask for text and checkboxes alone. This decides whether the signer still has to sign.</p>
      {/* The key makes a new form when somebody else has changed the setting. */}
      <form class="panel-form" key={signatureRule} onSubmit={save}>
        <label>
          When a document has no signature field
          <select name="signatureRule">
            {Object.entries(signatureRuleMeanings).map(([rule, meaning]) => (
              <option
                key={rule}
                value={rule}
                selected={rule === signatureRule}
                disabled={isKeptFrom(rule as SignatureRule, { isOperator: mayChange, chosen: signatureRule })}
              >
                {meaning}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">Save</button>
      </form>
      {!mayChange && <KeptForOperators />}
    </section>
  )
}

/** Whether someone may not choose a rule; what is chosen already stays. choice: Documents without a signature field */
export const isKeptFrom = (
  rule: SignatureRule,
  { isOperator, chosen }: { isOperator: boolean; chosen: SignatureRule | null },
): boolean => rule === 'notNeeded' && !isOperator && chosen !== rule

export const KeptForOperators = () => (
  <small>Only the operator of the service can choose “{signatureRuleMeanings.notNeeded}”.</small>
)

export const signatureRuleMeanings: Readonly<Record<SignatureRule, string>> = {
  atEnd: 'Sign on the page added at the end',
  required: 'Refuse the document',
  notNeeded: 'Ask for no signature',
}
