import { startAll } from './startAll';

// A plain script, like `npm start` or a benchmark.
void startAll(process.argv[2]!);
