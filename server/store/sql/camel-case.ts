/**
 * Names are in camelCase in the schema and in snake_case in SQL: they are translated where a statement is written, and where its
 * rows come back. Kysely's plugin alone would copy each statement to rename what is in it.
 */
import { CamelCasePlugin, PostgresQueryCompiler, type RootOperationNode, SqliteQueryCompiler } from 'kysely'

/** Translates rows; statements are left to the compilers. */
class RowsInCamelCase extends CamelCasePlugin {
  override transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    return node
  }

  inSql(name: string): string {
    return this.snakeCase(name)
  }
}

/** JSON in a row is text, so there is nothing inside of it to rename. */
export const rowsInCamelCase = new RowsInCamelCase({ maintainNestedObjectKeys: true })

/** The names of tables and columns, which are few. */
const known = new Map<string, string>()

function translated(name: string, sanitize: (name: string) => string): string {
  const found = known.get(name) ?? sanitize(rowsInCamelCase.inSql(name))
  known.set(name, found)
  return found
}

/** Both wrap names in double quotes, so they sanitize alike. */
export class SqliteInSnakeCase extends SqliteQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return translated(name, (inSql) => super.sanitizeIdentifier(inSql))
  }
}

export class PostgresInSnakeCase extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return translated(name, (inSql) => super.sanitizeIdentifier(inSql))
  }
}
