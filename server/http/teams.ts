/** `/sandbox/teams`: the sandboxes of the teams that share this process, for the links of its pages. Open to anyone, as the pages are. */
import { Router } from 'express'
import type { ListedTeam, Team } from '../domain/team.ts'
import { loggedRoute } from './logged-route.ts'

/** @param own the name of this one; null where the process has one sandbox only */
export function teamsRoute(own: string | null, teams: () => readonly Team[]): Router {
  const router = Router()
  router.get('/sandbox/teams', loggedRoute('/sandbox/teams'), (_req, res) => {
    const listed: ListedTeam[] = teams().map((team) => ({ ...team, isThis: team.name === own }))
    res.json(listed)
  })
  return router
}
