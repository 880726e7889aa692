/** The templates there are, and the way to a new one. */
import type { ListedTemplate } from '../../console/messages.ts'
import { Icon } from '../shared/icon.tsx'
import { useTitle } from '../shared/title.ts'
import { DocumentTypes } from './document-types.tsx'
import { useLive } from './live.ts'

export function Templates({ isOperator }: { isOperator: boolean }) {
  const [templates] = useLive<ListedTemplate[]>('/console/api/templates')
  const heading = useTitle('Templates')
  return (
    <main class="console-page">
      <div class="console-head">
        <h1 ref={heading} tabIndex={-1}>
          Templates
        </h1>
        <a class="button" href="#/templates/new">
          <Icon name="plus" /> New template
        </a>
      </div>
      {templates?.length === 0 && <p class="empty">There is no template yet.</p>}
      {templates && templates.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Template</th>
              <th scope="col">Name</th>
              <th scope="col">Organization</th>
              <th scope="col">Clinical date</th>
              <th scope="col">Window</th>
              <th scope="col">Diagnosis</th>
              <th scope="col">Fields</th>
            </tr>
          </thead>
          <tbody>
            {templates.map((template) => (
              <tr key={template.templateId}>
                <th scope="row">{template.templateId}</th>
                <td data-label="Name">{template.summary}</td>
                <td data-label="Organization">{template.organization}</td>
                <td data-label="Clinical date">{template.clinicalDateLabel}</td>
                <td data-label="Window">{windowOf(template)}</td>
                <td data-label="Diagnosis">{template.diagnosisCode}</td>
                <td data-label="Fields">{template.fields}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {isOperator && <DocumentTypes />}
    </main>
  )
}

const windowOf = ({ daysBefore, daysAfter }: ListedTemplate): string =>
  daysBefore === null && daysAfter === null ? 'any day' : `−${daysBefore ?? '∞'} to +${daysAfter ?? '∞'} days`
