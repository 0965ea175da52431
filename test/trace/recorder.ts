import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const NODES = pathToFileURL(join(__dirname, '../../nodes/')).href;

/** A function that only returns an export; the transform adds them. */
const EXPORT_GETTER = /^\(\) => [\w.]+(\[\w+\])?$/;

/** V8 calls what initializes the fields of a class `<instance_members_initializer>`. */
const NAMED = /^[^<]/;

/** Records which functions of `nodes/` run, with V8's precise coverage. */
export class Recorder {
	private readonly session = new Session();

	/** Starts recording. Functions that have run before, such as those of modules that were loaded, do not count. */
	async start(): Promise<void> {
		this.session.connect();
		await this.session.post('Debugger.enable');
		await this.session.post('Profiler.enable');
		await this.session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	}

	/** Ends recording. Returns the names of the functions that ran, by file; callbacks without a name count for their caller. */
	async stop(): Promise<Map<string, Set<string>>> {
		const { result } = await this.session.post('Profiler.takePreciseCoverage');
		const namesByFile = new Map<string, Set<string>>();
		for (const { url, scriptId, functions } of result) {
			if (!url.startsWith(NODES)) continue;
			const file = `nodes/${url.slice(NODES.length)}`;
			const { scriptSource } = await this.session.post('Debugger.getScriptSource', { scriptId });
			for (const { functionName, ranges } of functions) {
				const [{ count, startOffset, endOffset } = { count: 0, startOffset: 0, endOffset: 0 }] =
					ranges;
				const isGetter = EXPORT_GETTER.test(scriptSource.slice(startOffset, endOffset));
				if (count === 0 || !NAMED.test(functionName) || isGetter) continue;
				namesByFile.set(file, (namesByFile.get(file) ?? new Set()).add(functionName));
			}
		}
		this.session.disconnect();
		return namesByFile;
	}
}

/** Formats recorded functions: a line per file, and the totals. */
export function formatPath(namesByFile: Map<string, Set<string>>): string {
	const files = [...namesByFile].sort(([a], [b]) => (a < b ? -1 : 1));
	const functionCount = files.reduce((sum, [, names]) => sum + names.size, 0);
	const lines = files.map(([file, names]) => `${file}: ${[...names].join(', ')}`);
	return [...lines, `${files.length} files, ${functionCount} functions`].join('\n');
}
