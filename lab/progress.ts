/** A task whose progress is reported. */
interface Task {
	/** Title such as "Installing n8n". */
	title: string;
	/** Hint printed when the task starts, such as its expected duration. */
	note?: string;
	/** Returns how far the task is. */
	detail?: () => Promise<string>;
}

/** Reports progress to the user. */
export interface Progress {
	/** Prints one line. */
	print(text: string): void;
	/** Reports a task while it runs, and then its duration. */
	track<T>(task: Task, work: () => Promise<T>): Promise<T>;
}

/** Prints nothing: for tests. */
export const silentProgress: Progress = {
	print: () => undefined,
	track: async (_task, work) => await work(),
};

const formatElapsed = (startedAtMs: number) => {
	const totalSeconds = Math.round((Date.now() - startedAtMs) / 1000);
	return totalSeconds < 60
		? `${totalSeconds} s`
		: `${Math.floor(totalSeconds / 60)} min ${totalSeconds % 60} s`;
};

/** Writes to a terminal, where one line is updated in place, or to a log, where it is repeated at intervals. */
export function terminalProgress(out: NodeJS.WriteStream): Progress {
	const print = (text: string) => void out.write(`${text}\n`);
	const [eraseLine, lineEnd] = out.isTTY ? ['\r\u001b[K', ''] : ['', '\n'];
	return {
		print,
		async track({ title, note, detail }, work) {
			const startedAtMs = Date.now();
			let isRunning = true;
			out.write(`${title}${note ? ` (${note})` : ''} …${lineEnd}`);
			const printProgress = async () => {
				const detailText = detail && (await detail());
				if (isRunning)
					out.write(
						`${eraseLine}${title} … ${formatElapsed(startedAtMs)}${detailText ? `, ${detailText}` : ''}${lineEnd}`,
					);
			};
			const timer = setInterval(() => void printProgress(), out.isTTY ? 1000 : 20_000);
			try {
				const result = await work();
				isRunning = false;
				print(`${eraseLine}${title}: done in ${formatElapsed(startedAtMs)}`);
				return result;
			} catch (error) {
				if (out.isTTY) print('');
				throw error;
			} finally {
				isRunning = false;
				clearInterval(timer);
			}
		},
	};
}
