/**
 * How many of an image's layers come from its base image, guessed from the history of its
 * configuration (image spec § config.md). The history is a claim of the builder of the image: the
 * result is a hint for people, and nothing is decided by it.
 */
import { z } from 'zod';

const Step = z.object({
  created_by: z.string().catch(''),
  empty_layer: z.boolean().catch(false),
});
type Step = z.infer<typeof Step>;
const History = z.array(Step).max(2_000);

/** A command that base images end with, as Docker and BuildKit write it. */
const COMMAND = /^(?:\/bin\/sh -c #\(nop\) +)?(?:CMD|ENTRYPOINT)\b/;
/** The only step of images of `debuerreotype`, such as `debian` and `ubuntu`, without a command. */
const ROOT_FILE_SYSTEM = /^# ?debian\.sh /;

/** @returns 0 where no base image is recognised */
export function baseLayerCount(history: unknown, layers: number): number {
  const { data: steps = [] } = History.safeParse(history);
  if (countLayers(steps) !== layers) return 0;
  const count = countLayers(steps.slice(0, endOfBase(steps)));
  // All layers are the base's where the image itself ends with the command.
  return count === layers ? 0 : count;
}

/** The number of steps of the base: those before the last layer up to a command. */
function endOfBase(steps: readonly Step[]): number {
  const top = steps.findLastIndex(({ empty_layer }) => !empty_layer);
  const command = steps
    .slice(0, Math.max(top, 0))
    .findLastIndex(({ empty_layer, created_by }) => empty_layer && COMMAND.test(created_by));
  if (command >= 0) return command + 1;
  return ROOT_FILE_SYSTEM.test(steps[0]?.created_by ?? '') ? 1 : 0;
}

function countLayers(steps: readonly Step[]): number {
  return steps.filter(({ empty_layer }) => !empty_layer).length;
}
