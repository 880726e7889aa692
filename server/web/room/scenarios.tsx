/** The scenarios of the control room: a list, and one of them at a time in large type, for a person who presents. */
import { useState } from 'preact/hooks'
import { announce } from '../shared/announce.tsx'
import { announceFailure } from '../shared/connection.tsx'
import { useTitle } from '../shared/title.ts'
import { t } from '../words/words.ts'
import { roomCall, type ScenarioState } from './room-api.ts'
import { useLooks } from './use-looks.ts'

const howFar = ({ done, steps, isRunning }: ScenarioState) =>
  isRunning
    ? t('scenario.running', { step: done + 1, steps: steps.length })
    : done === 0
      ? ''
      : t('scenario.done', { done, steps: steps.length })

export function Scenarios() {
  const [scenarios, again] = useLooks<ScenarioState[]>('scenarios')
  const play = async ({ name, title }: ScenarioState) => {
    try {
      await roomCall('POST', `scenarios/${name}/play`, { fromStart: true })
      announce(t('scenario.played', { title }))
    } catch (failure) {
      announceFailure(failure)
    }
    await again()
  }
  return (
    <section class="panel room-scenarios" aria-labelledby="room-scenarios">
      <h2 id="room-scenarios">{t('room.scenarios')}</h2>
      <ul>
        {(scenarios ?? []).map((scenario) => (
          <li key={scenario.name}>
            <strong>{scenario.title}</strong>
            <p>{scenario.about}</p>
            <div class="room-steps">
              <a class="button small" href={`#/present/${scenario.name}`}>
                {t('scenario.present', { count: scenario.steps.length })}
              </a>
              <button type="button" class="small" disabled={scenario.isRunning} onClick={() => void play(scenario)}>
                {t('scenario.play')}
              </button>
              <span role="status">{howFar(scenario)}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** @param name of the scenario, from the address */
export function Present({ name }: { name: string }) {
  const [scenarios, again] = useLooks<ScenarioState[]>('scenarios')
  const [isBusy, setBusy] = useState(false)
  const scenario = scenarios?.find((one) => one.name === name)
  const heading = useTitle(scenario?.title ?? t('scenario.scenario'))
  const act = async (path: string) => {
    setBusy(true)
    try {
      await roomCall('POST', `scenarios/${name}/${path}`)
    } catch (failure) {
      announceFailure(failure)
    }
    await again()
    setBusy(false)
  }
  const isUnderWay = isBusy || scenario?.isRunning === true
  const { done = 0, steps = [], outcome = [] } = scenario ?? {}
  const next = steps[done]

  return (
    <section class="room-present" aria-labelledby="room-present">
      <h1 id="room-present" ref={heading} tabIndex={-1}>
        {scenario?.title ?? (scenarios ? t('scenario.none') : '…')}
      </h1>
      {scenario && (
        <>
          <p class="room-progress">
            {done < steps.length ? t('scenario.progress', { step: done + 1, steps: steps.length }) : t('scenario.end')}
          </p>
          <div class="room-say">
            {next ? (
              <>
                <p>{next.say}</p>
                {next.does.length > 0 && (
                  <ul>
                    {next.does.map((does) => (
                      <li key={does}>{does}</li>
                    ))}
                  </ul>
                )}
              </>
            ) : (
              <p>{scenario.about}</p>
            )}
          </div>
          <div class="room-steps">
            {next && (
              <button type="button" class="primary room-next" disabled={isUnderWay} onClick={() => void act('next')}>
                {t('scenario.next')}
              </button>
            )}
            <button type="button" disabled={isUnderWay || done === 0} onClick={() => void act('begin')}>
              {t('scenario.again')}
            </button>
            <a class="button" href="#/scenarios">
              {t('verb.leave')}
            </a>
          </div>
          <div role="status" class="room-outcome">
            {isUnderWay && t('scenario.underWay')}
            {!isUnderWay && outcome.length > 0 && (
              <>
                <h2>{t('scenario.step', { step: done })}</h2>
                <ul>
                  {outcome.map((came) => (
                    <li key={came}>{came}</li>
                  ))}
                </ul>
              </>
            )}
          </div>
        </>
      )}
    </section>
  )
}
