/** A target that does some of the work of another one in its own way, and passes on the rest. */
import type { Mounter, Target } from './content.ts';

export function wrapTarget(
  target: Target & Mounter,
  changed: Partial<Target & Mounter>,
): Target & Mounter {
  return {
    resolve: (reference, options) => target.resolve(reference, options),
    fetch: (descriptor, options) => target.fetch(descriptor, options),
    exists: (descriptor, options) => target.exists(descriptor, options),
    push: (descriptor, open, options) => target.push(descriptor, open, options),
    mount: (descriptor, from, options) => target.mount(descriptor, from, options),
    tag: (descriptor, tag, options) => target.tag(descriptor, tag, options),
    ...changed,
  };
}
