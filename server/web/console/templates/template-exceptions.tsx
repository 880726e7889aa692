/** Edits the rules that a template overrides. */
import type { Exceptions, SignatureRule } from '../../../domain/task/signature-place.ts'
import { t } from '../../words/words.ts'
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
      {t('rule.when')}
      <select name="signatureRule">
        <option value={FOLLOWS}>{t('template.follows')}</option>
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
      {t('template.tokens')}
      <select name="coversTokens">
        <option value={FOLLOWS}>{t('template.follows')}</option>
        <option value="yes" selected={template?.coversTokens === true}>
          {t('template.cover')}
        </option>
        <option value="no" selected={template?.coversTokens === false}>
          {t('template.leaveThem')}
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
