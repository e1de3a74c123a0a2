/** Token scopes of the distribution project ("Token scope"): `type:name:action,action`. */

export function repositoryScope(
  repository: string,
  ...actions: ('pull' | 'push' | 'delete')[]
): string {
  return `repository:${repository}:${actions.join(',')}`;
}

export const CATALOG_SCOPE = 'registry:catalog:*';

/** Merges to one scope per resource in a stable order, so that equal requests share a token. */
export function mergeScopes(...lists: readonly (readonly string[])[]): string[] {
  const actions = new Map<string, Set<string>>();
  for (const scope of lists.flat()) {
    const at = scope.lastIndexOf(':');
    if (at <= 0) continue;
    const known = actions.get(scope.slice(0, at)) ?? new Set();
    for (const action of scope.slice(at + 1).split(',')) if (action !== '') known.add(action);
    actions.set(scope.slice(0, at), known);
  }
  return [...actions].map(([resource, set]) => `${resource}:${[...set].sort().join(',')}`).sort();
}
