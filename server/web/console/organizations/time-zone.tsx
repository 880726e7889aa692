/** In which time zone the dates of an organization are judged. */
import type { ChangeBody, OrganizationFile } from '../../../operations/operator/messages/organizations.ts'
import { announce } from '../../shared/announce.tsx'
import { t } from '../../words/words.ts'
import { textsOf } from '../entry-form.tsx'

interface TimeZoneProps {
  file: OrganizationFile
  onChange(body: ChangeBody, done: string): Promise<unknown>
}

export function TimeZoneForm({ file: { organization }, onChange }: TimeZoneProps) {
  const { timeZone } = organization
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    const chosen = textsOf(new FormData(event.currentTarget as HTMLFormElement)).timeZone ?? null
    if (chosen === timeZone) return announce(t('organization.unchanged'))
    void onChange({ timeZone: chosen }, t('organization.savedFuture'))
  }
  return (
    // The key makes a new form when another person has changed the setting.
    <form class="panel-form" key={timeZone} onSubmit={save}>
      <label>
        {t('zone.label')}
        <select name="timeZone">
          <option value="" selected={timeZone === null}>
            {t('zone.ofService')}
          </option>
          {zonesWith(timeZone).map((zone) => (
            <option key={zone} value={zone} selected={zone === timeZone}>
              {zone}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">{t('zone.save')}</button>
    </form>
  )
}

/** The service may know a zone by a name that this browser does not list. */
function zonesWith(chosen: string | null): string[] {
  const known = Intl.supportedValuesOf('timeZone')
  return chosen === null || known.includes(chosen) ? known : [chosen, ...known]
}
