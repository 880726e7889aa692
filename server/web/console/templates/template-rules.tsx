/** Whose template it is, and what a document made from it has to say. */
import type { TemplateBody, TemplateFile } from '../../../operations/operator/messages/templates.ts'
import { useLive } from '../live.ts'

interface TemplateRulesProps {
  /** What is edited; null for a new one. */
  template: TemplateFile | null
  isReady: boolean
  onSave(rules: Omit<TemplateBody, 'fields'>): void
}

export function TemplateRules({ template, isReady, onSave }: TemplateRulesProps) {
  const [senders] = useLive<{ id: number; name: string }[]>('/admin/v1/senders')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const text = (name: string) => String(form.get(name) ?? '')
    const days = (name: string) => (text(name) === '' ? null : Number(text(name)))
    onSave({
      organizationId: template?.organizationId ?? Number(text('organizationId')),
      summary: text('summary'),
      clinicalDateLabel: text('clinicalDateLabel'),
      diagnosisCode: text('diagnosisCode') as TemplateBody['diagnosisCode'],
      daysBefore: days('daysBefore'),
      daysAfter: days('daysAfter'),
    })
  }
  return (
    <form class="panel" onSubmit={submit}>
      <h2>Template</h2>
      {template ? (
        <p>{template.organization}</p>
      ) : (
        <label>
          Organization
          <select name="organizationId" required>
            {(senders ?? []).map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        Name
        <input name="summary" required maxLength={100} defaultValue={template?.summary} />
      </label>
      <label>
        What the clinical date is
        <input
          name="clinicalDateLabel"
          required
          maxLength={100}
          placeholder="Order date"
          defaultValue={template?.clinicalDateLabel}
        />
      </label>
      <label>
        Diagnosis code
        <select name="diagnosisCode">
          {(['none', 'allowed', 'required'] as const).map((rule) => (
            <option key={rule} value={rule} selected={template?.diagnosisCode === rule}>
              {rule}
            </option>
          ))}
        </select>
      </label>
      <fieldset class="numbers">
        <legend>Days the clinical date may lie from today; empty is any</legend>
        <label>
          Before
          <input name="daysBefore" type="number" min="0" max="3660" defaultValue={template?.daysBefore ?? undefined} />
        </label>
        <label>
          After
          <input name="daysAfter" type="number" min="0" max="3660" defaultValue={template?.daysAfter ?? undefined} />
        </label>
      </fieldset>
      <button type="submit" class="primary" disabled={!isReady}>
        Save template
      </button>
    </form>
  )
}
