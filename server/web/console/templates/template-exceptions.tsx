/** Edits the rules that a template overrides. */
import type { Exceptions, SignatureRule } from '../../../domain/task/signature-place.ts'
import { isKeptFrom, KeptForOperators, signatureRuleMeanings } from '../organizations/signature-rule.tsx'

/** Leaves the decision to the organization. */
const FOLLOWS = ''

interface TemplateExceptionsProps {
  /** Null for a new template. */
  template: Exceptions | null
  isOperator: boolean
}

export const TemplateExceptions = ({ template, isOperator }: TemplateExceptionsProps) => (
  <>
    <label>
      When a document has no signature field
      <select name="signatureRule">
        <option value={FOLLOWS}>Use the organization’s setting</option>
        {Object.entries(signatureRuleMeanings).map(([rule, meaning]) => (
          <option
            key={rule}
            value={rule}
            selected={template?.signatureRule === rule}
            disabled={isKeptFrom(rule as SignatureRule, { isOperator, chosen: template?.signatureRule ?? null })}
          >
            {meaning}
          </option>
        ))}
      </select>
      {!isOperator && <KeptForOperators />}
    </label>
    <label>
      Text of tokens
      <select name="coversTokens">
        <option value={FOLLOWS}>Use the organization’s setting</option>
        <option value="yes" selected={template?.coversTokens === true}>
          Cover it
        </option>
        <option value="no" selected={template?.coversTokens === false}>
          Leave it
        </option>
      </select>
    </label>
  </>
)

/** @param text returns the value of a field of the form */
export const exceptionsOf = (text: (name: string) => string): Exceptions => ({
  signatureRule: text('signatureRule') === FOLLOWS ? null : (text('signatureRule') as SignatureRule),
  coversTokens: text('coversTokens') === FOLLOWS ? null : text('coversTokens') === 'yes',
})
