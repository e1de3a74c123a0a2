export * from './port.ts';
import type { Sealer } from '@portcullis/runtime';
import type { Store } from './port.ts';

export declare function openStore(databaseUrl: string, sealer: Sealer): Store;
export declare function migrate(databaseUrl: string, migrationsDir?: string): Promise<string[]>;
