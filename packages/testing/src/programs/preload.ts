/** A module hook of Node that resolves the entry point of a program to its bundle. */
import { registerHooks } from 'node:module';

export const PROGRAMS = ['api', 'worker', 'notifier', 'cli', 'standalone'];

const APPS = new URL('../../../../apps/', import.meta.url).href;

const bundles = new URL(import.meta.url).searchParams.get('bundles');

if (bundles !== null) {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      // What a process or a thread resolves first is its entry.
      hooks.deregister();
      const found = next(specifier, context);
      const program = PROGRAMS.find((each) => found.url === `${APPS}${each}/src/main.ts`);
      if (program === undefined) return found;
      return { ...found, url: new URL(`${program}.mjs`, bundles).href, format: 'module' };
    },
  });
}
