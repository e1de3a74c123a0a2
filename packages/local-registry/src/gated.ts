import type { Digest, Target } from '@portcullis/oci';
import type { WriteGate } from './write-gate.ts';

export interface Gated {
  target: Target;
  /** All of it is named by a manifest now. */
  settle(): Promise<void>;
}

/** A repository of the built-in registry as a push of ours writes it: each step waits for the gate. */
export function gated(repository: string, target: Target, gate: WriteGate): Gated {
  const relied = new Set<Digest>();
  async function rely(digest: Digest): Promise<void> {
    relied.add(digest);
    await gate.needs(repository, [digest]);
  }
  const { mount } = target;
  return {
    target: {
      resolve: (reference, options) => target.resolve(reference, options),
      fetch: (descriptor, options) => target.fetch(descriptor, options),
      async exists(descriptor, options) {
        // Said first: between the answer and the note a collection could begin.
        await rely(descriptor.digest);
        return target.exists(descriptor, options);
      },
      async push(descriptor, open, options) {
        await rely(descriptor.digest);
        await gate.write(() => target.push(descriptor, open, options));
      },
      ...(mount && {
        async mount(descriptor, from, options) {
          await rely(descriptor.digest);
          return gate.write(async () => mount.call(target, descriptor, from, options));
        },
      }),
      tag: (descriptor, tag, options) => gate.write(() => target.tag(descriptor, tag, options)),
    },
    settle: () => gate.settled(repository, [...relied]),
  };
}
