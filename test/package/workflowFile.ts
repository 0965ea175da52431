import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const folder = path.resolve(__dirname, '..', '..', '.github', 'workflows');

interface Step {
	name?: string;
	uses?: string;
	run?: string;
	with?: Record<string, string>;
}

interface Job {
	strategy?: { matrix: { script?: string[]; node?: number[] } };
	steps: Step[];
}

interface Workflow {
	on: Record<string, unknown>;
	permissions: Record<string, string>;
	jobs: Record<string, Job>;
}

/** Names of all workflow files. */
export const workflowNames = readdirSync(folder);

export const readWorkflowText = (name: string) => readFileSync(path.join(folder, name), 'utf8');

export const readWorkflow = (name: string) => parse(readWorkflowText(name)) as Workflow;

/** Returns the commands of a job, in order. */
export const listCommands = (job: Job | undefined) => job!.steps.map(({ run = '' }) => run);
