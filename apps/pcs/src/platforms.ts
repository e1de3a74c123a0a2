/** `--platform`: the platforms of an image to copy. */
import type { Option } from '@portcullis/command';
import type { PcsCall } from './command.ts';

export const PLATFORM: Readonly<Record<string, Option>> = {
  platform: {
    type: 'string',
    help: 'platforms, as linux/amd64,linux/arm64, or all; by default all',
  },
};

export function platformsOf(call: Pick<PcsCall, 'value'>): 'all' | string[] | undefined {
  const text = call.value('platform');
  return text === undefined || text === 'all' ? text : text.split(',').map((each) => each.trim());
}
