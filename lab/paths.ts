import path from 'node:path';

/** The checkout, with the pack's own package.json. */
export const rootFolder = path.resolve(__dirname, '..');

/** The lab's folder, with the package.json and the lock file that n8n is installed from. */
export const labFolder = __dirname;

/** Everything that a run leaves behind; `--clean` removes it. */
export const runFolder = path.join(labFolder, '.run');

/** Logs of clusters, kept until the next run, in one folder each. */
export const clusterLogs = path.join(rootFolder, '.cache', 'cluster');
