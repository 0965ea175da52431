import 'reflect-metadata';
import { bundlePack } from '../world/packBundle';
import { histories } from './histories';
import { ModelDriver } from './modelDriver';
import { Stage } from './stage';

/** Plays the named histories, or all, with the simulated n8n, and prints their results as JSON. */
async function run(names: string[]): Promise<void> {
	const bundle = await bundlePack();
	const results: Record<string, unknown> = {};
	for (const { name, play } of histories) {
		if (names.length > 0 && !names.includes(name)) continue;
		results[name] = await ModelDriver.use(bundle, async (driver) => {
			const stage = new Stage(driver);
			await play(stage);
			return await stage.result();
		}).catch((error: unknown) => String(error));
	}
	console.log(JSON.stringify(results));
}

void run(process.argv.slice(2));
