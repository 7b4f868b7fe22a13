#!/usr/bin/env node
// Stands in the repository so that `npm ci` can link the command before anything is built.
import '../dist/bundle/tenon.js'
