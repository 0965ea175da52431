import { defineIsolationTests } from './leaves';

defineIsolationTests('other');
