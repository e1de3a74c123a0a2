/** The process of a Redis on this machine. */
import type { Redis } from '@portcullis/runtime';

export async function redisPid(redis: Redis): Promise<number> {
  return Number(/^process_id:(\d+)/m.exec(await redis.info('server'))?.[1]);
}
