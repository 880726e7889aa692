/** Reads a JSON body within a limit. Compressed bodies are refused: a small one can unfold into anything. */
import express, { type RequestHandler } from 'express'
import { Refusal } from '../domain/refusal.ts'
import { jsonShapeProblem } from './json-shape.ts'

export function jsonBody(limit: number): RequestHandler[] {
  const requireJson: RequestHandler = (req, _res, next) => {
    // `is` answers null where there is no body at all, which the schema then reports; an empty one has no type either.
    if (req.headers['content-length'] !== '0' && req.is('application/json') === false)
      throw new Refusal('wrongMediaType', 'content-type: application/json is required')
    next()
  }
  const verify = (_req: unknown, _res: unknown, json: Buffer) => {
    const problem = jsonShapeProblem(json)
    if (problem) throw new Refusal('invalid', `body: ${problem}`)
  }
  return [requireJson, express.json({ limit, inflate: false, strict: false, verify })]
}
