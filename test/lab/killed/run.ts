import { startAll } from './startAll';

/** A run as `npm start` or a benchmark is one. */
void startAll(process.argv[2]!);
