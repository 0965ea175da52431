import path from 'node:path';

/** The checkout: where the pack's own package.json is. */
export const rootFolder = path.resolve(__dirname, '..');

/** Where n8n is installed: its own package.json and lock file are here. */
export const labFolder = __dirname;

/** Everything that a run leaves behind and `--clean` removes. */
export const runFolder = path.join(labFolder, '.run');

/** Where the output of clusters is kept until the next run, a folder for each. */
export const clusterLogs = path.join(rootFolder, '.cache', 'cluster');

/** Where n8n and its packages are, once they are installed. */
export const labModules = path.join(labFolder, 'node_modules');

/** The folder of a package that is installed in the lab. */
export const labPackage = (name: string) => path.join(labModules, name);
