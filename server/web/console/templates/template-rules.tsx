/** Edits the owner of a template, and what a document made from it has to say. */
import type { TemplateBody, TemplateFile } from '../../../operations/operator/messages/templates.ts'
import { t } from '../../words/words.ts'
import { useLive } from '../live.ts'
import { OrganizationSelect } from '../organization-select.tsx'
import { exceptionsOf, TemplateExceptions } from './template-exceptions.tsx'

interface TemplateRulesProps {
  /** The template that is edited; null for a new one. */
  template: TemplateFile | null
  /** An administrator of an organization may not choose everything. */
  isOperator: boolean
  isReady: boolean
  /** Something was entered. */
  onChange(): void
  onSave(rules: Rules): void
}

export type Rules = Omit<TemplateBody, 'fields' | 'withoutSignature'>

export function TemplateRules({ template, isOperator, isReady, onChange, onSave }: TemplateRulesProps) {
  const [senders] = useLive<{ id: number; name: string }[]>('/senders')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSave(rulesOf(new FormData(event.currentTarget as HTMLFormElement), template))
  }
  return (
    <form class="panel" onInput={onChange} onSubmit={submit}>
      <h2>{t('template.template')}</h2>
      {template ? <p>{template.organization}</p> : <OrganizationSelect organizations={senders ?? []} />}
      <label>
        {t('organization.name')}
        <input name="summary" required maxLength={100} defaultValue={template?.summary} />
      </label>
      <label>
        {t('template.dateLabel')}
        <input
          name="clinicalDateLabel"
          required
          maxLength={100}
          placeholder={t('template.dateExample')}
          defaultValue={template?.clinicalDateLabel}
        />
      </label>
      <label>
        {t('template.diagnosisCode')}
        <select name="diagnosisCode">
          {(['none', 'allowed', 'required'] as const).map((rule) => (
            <option key={rule} value={rule} selected={template?.diagnosisCode === rule}>
              {t(`rule.${rule}`)}
            </option>
          ))}
        </select>
      </label>
      <fieldset class="numbers">
        <legend>{t('template.days')}</legend>
        <DaysInput label={t('template.before')} name="daysBefore" days={template?.daysBefore} />
        <DaysInput label={t('template.after')} name="daysAfter" days={template?.daysAfter} />
      </fieldset>
      <label>
        {t('template.told')}
        <select name="pdfRequired">
          {(['required', 'not required'] as const).map((rule) => (
            <option key={rule} value={rule} selected={rule === 'not required' && template?.pdfRequired === false}>
              {t(rule === 'required' ? 'rule.required' : 'rule.notRequired')}
            </option>
          ))}
        </select>
      </label>
      <TemplateExceptions template={template} isOperator={isOperator} />
      <button type="submit" class="primary" disabled={!isReady}>
        {t('template.save')}
      </button>
    </form>
  )
}

const DaysInput = ({ label, name, days }: { label: string; name: string; days: number | null | undefined }) => (
  <label>
    {label}
    <input name={name} type="number" min="0" max="3660" defaultValue={days ?? undefined} />
  </label>
)

/** A template stays with its organization, so only the form for a new one asks for it. */
function rulesOf(form: FormData, template: TemplateFile | null): Rules {
  const text = (name: string) => String(form.get(name) ?? '')
  const days = (name: string) => (text(name) === '' ? null : Number(text(name)))
  return {
    organizationId: template?.organizationId ?? Number(text('organizationId')),
    summary: text('summary'),
    clinicalDateLabel: text('clinicalDateLabel'),
    diagnosisCode: text('diagnosisCode') as Rules['diagnosisCode'],
    daysBefore: days('daysBefore'),
    daysAfter: days('daysAfter'),
    pdfRequired: text('pdfRequired') === 'required',
    ...exceptionsOf(text),
  }
}
