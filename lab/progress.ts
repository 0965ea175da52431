/** A task whose progress is reported. */
interface Task {
	/** Such as "Installing n8n". */
	title: string;
	/** Hint printed when the task starts, such as its expected duration. */
	note?: string;
	/** Returns how far the task is. */
	detail?: () => Promise<string>;
}

/** Reports progress to the user. */
export interface Progress {
	/** Prints one line. */
	line(text: string): void;
	/** Reports a task while it runs, and then its duration. */
	during<T>(task: Task, work: () => Promise<T>): Promise<T>;
}

/** Prints nothing: for tests. */
export const silentProgress: Progress = {
	line: () => undefined,
	during: async (_task, work) => await work(),
};

const since = (start: number) => {
	const total = Math.round((Date.now() - start) / 1000);
	return total < 60 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
};

/** Writes to a terminal, where one line is updated in place, or to a log, where it is repeated at intervals. */
export function terminalProgress(out: NodeJS.WriteStream): Progress {
	const line = (text: string) => void out.write(`${text}\n`);
	const [rewrite, end] = out.isTTY ? ['\r\u001b[K', ''] : ['', '\n'];
	return {
		line,
		async during({ title, note, detail }, work) {
			const start = Date.now();
			let running = true;
			out.write(`${title}${note ? ` (${note})` : ''} …${end}`);
			const show = async () => {
				const how = detail && (await detail());
				if (running)
					out.write(`${rewrite}${title} … ${since(start)}${how ? `, ${how}` : ''}${end}`);
			};
			const timer = setInterval(() => void show(), out.isTTY ? 1000 : 20_000);
			try {
				const result = await work();
				running = false;
				line(`${rewrite}${title}: done in ${since(start)}`);
				return result;
			} catch (error) {
				if (out.isTTY) line('');
				throw error;
			} finally {
				running = false;
				clearInterval(timer);
			}
		},
	};
}
