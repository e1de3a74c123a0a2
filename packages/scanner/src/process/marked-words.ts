/** What a process that stays says on standard error: of each of its commands, between two marks. */
import type { Readable } from 'node:stream';
import { OUTPUT_LIMIT } from './run.ts';

export interface MarkedWords {
  /**
   * From now on the words between two lines of this mark, or until the stream ends; as much of
   * their end as `collect` of run.ts keeps. Null where the first line did not come.
   */
  between(mark: string): Promise<string | null>;
}

export function markedWords(stream: Readable): MarkedWords {
  let text = '';
  let look = () => {
    text = '';
  };
  const ended = new Promise<void>((resolve) => stream.once('close', resolve));
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    look();
  });
  return {
    between(mark) {
      const line = `${mark}\n`;
      let isBegun = false;
      text = '';
      return new Promise((resolve) => {
        look = () => {
          const first = isBegun ? -1 : text.indexOf(line);
          if (first >= 0) {
            text = text.slice(first + line.length);
            isBegun = true;
          }
          const last = isBegun ? text.indexOf(line) : -1;
          if (last >= 0) resolve(text.slice(0, last).slice(-OUTPUT_LIMIT));
          // The second mark may be there in part.
          else text = text.slice(-OUTPUT_LIMIT - line.length);
        };
        void ended.then(() => resolve(isBegun ? text.slice(-OUTPUT_LIMIT) : null));
      });
    },
  };
}
