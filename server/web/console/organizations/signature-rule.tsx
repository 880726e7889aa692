/** Edits the treatment of documents that an organization sends without a signature field. */
import type { SignatureRule } from '../../../domain/task/signature-place.ts'
import type { ChangeBody, OrganizationFile } from '../../../operations/operator/messages/organizations.ts'
import { announce } from '../../shared/announce.tsx'
import { t } from '../../words/words.ts'
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
    if (chosen === signatureRule) return announce(t('organization.unchanged'))
    void onChange({ signatureRule: chosen }, t('organization.savedFuture'))
  }
  return (
    <section class="panel" aria-labelledby="signature-rule">
      <h2 id="signature-rule">{t('rule.title')}</h2>
      <p>{t('rule.text')}</p>
      {/* The key makes a new form when somebody else has changed the setting. */}
      <form class="panel-form" key={signatureRule} onSubmit={save}>
        <label>
          {t('rule.when')}
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
        <button type="submit">{t('verb.save')}</button>
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
  <small>{t('rule.operatorOnly', { choice: signatureRuleMeanings.notNeeded })}</small>
)

export const signatureRuleMeanings: Readonly<Record<SignatureRule, string>> = {
  atEnd: t('rule.atEnd'),
  required: t('content.refuse'),
  notNeeded: t('rule.notNeeded'),
}
