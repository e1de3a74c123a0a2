/** One source over several that have parts of the same image: the first that has it answers. */

import { isAppError } from '@portcullis/errors';
import type { Source } from '@portcullis/oci';

export function firstOf(sources: readonly [Source, ...Source[]]): Source {
  async function ask<T>(question: (source: Source) => Promise<T>): Promise<T> {
    const [first, ...rest] = sources;
    try {
      return await question(first);
    } catch (error) {
      const [next, ...others] = rest;
      if (!isMissing(error) || !next) throw error;
      return question(firstOf([next, ...others]));
    }
  }
  return {
    resolve: (reference, options) => ask((source) => source.resolve(reference, options)),
    fetch: (descriptor, options) => ask((source) => source.fetch(descriptor, options)),
  };
}

function isMissing(error: unknown): boolean {
  return isAppError(error) && error.kind === 'not_found';
}
