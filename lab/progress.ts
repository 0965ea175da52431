/** What is told about a task while it runs. */
export interface Task {
	/** Such as "Installing n8n". */
	title: string;
	/** What a person should know beforehand. */
	note?: string;
	/** How far it is. */
	detail?: () => Promise<string>;
}

/** Tells a person what is going on. */
export interface Progress {
	/** One finished line. */
	line(text: string): void;
	/** Shows a task while it runs and how long it took. */
	during<T>(task: Task, work: () => Promise<T>): Promise<T>;
}

/** Says nothing: for tests. */
export const silent: Progress = {
	line: () => undefined,
	during: async (_task, work) => await work(),
};

const since = (start: number) => {
	const total = Math.round((Date.now() - start) / 1000);
	return total < 60 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
};

/** Writes to a terminal, where one line is kept up to date, or to a log, where it is repeated now and then. */
export function talkative(out: NodeJS.WriteStream): Progress {
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
