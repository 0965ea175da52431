import { isRecord } from '../../values/isRecord';
import { stateUnrecognizedError } from './messages';

/** Limit to the stored characters: n8n loads static data with every execution. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Parts of a trigger's stored state that this version does not recognize: damaged ones, and state of an unknown version.
 * They stay in static data as raw text, so that nothing is destroyed, and are reported once.
 */
export class UnrecognizedState {
	private readonly texts = new Set<string>();
	/** Parts that this process set aside and has not reported. */
	private unreported: unknown[] = [];
	private characters = 0;
	private dropped = 0;

	/** Restores the parts that earlier processes set aside, from each stored form of the trigger's state. */
	constructor(storedStates: unknown[]) {
		for (const state of storedStates) {
			const setAside: unknown = isRecord(state) ? state.setAside : undefined;
			if (setAside === undefined) continue;
			for (const text of Array.isArray(setAside) ? setAside : [setAside]) {
				if (typeof text === 'string') this.keep(text);
				else this.add(text);
			}
		}
	}

	/** Sets a part aside, unless the same part was set aside before. */
	readonly add = (part: unknown): void => {
		const text = typeof part === 'string' ? part : JSON.stringify(part);
		if (this.texts.has(text)) return;
		this.unreported.push(part);
		if (!this.keep(text)) this.dropped++;
	};

	/** Returns the raw texts as they are stored beside the trigger's state. */
	toSaved(): { setAside?: string[] } {
		return this.texts.size === 0 ? {} : { setAside: [...this.texts] };
	}

	/** Returns a report on the parts set aside since the last call, if there are any. */
	takeReport(): Error | undefined {
		const parts = this.unreported;
		this.unreported = [];
		if (parts.length === 0) return undefined;
		return stateUnrecognizedError(parts.length, this.dropped, parts.flatMap(idIn));
	}

	private keep(text: string): boolean {
		if (this.texts.has(text)) return true;
		if (this.characters + text.length > MAX_CHARACTERS) return false;
		this.characters += text.length;
		this.texts.add(text);
		return true;
	}
}

/**
 * Returns the ID in a part of the state. The report shows nothing else of that part, since the data of an ID may be secret.
 */
function idIn(part: unknown): string[] {
	const { id }: { id?: unknown } = isRecord(part) ? part : {};
	return typeof id === 'string' ? [id] : [];
}
